export type { ErrorCase, ErrorKind } from "./advice";
export * from "./api-error";
export { type Call, type Effect, isLogin, type Refusal, type Service } from "./call";
export { errorOfBody, errorOfResponse, errorOfTransport, type WholeResponse } from "./response";
