export type { ErrorCase, ErrorKind } from "./advice";
export * from "./api-error";
export type { Absence, Call, Effect, Service } from "./call";
export { errorOfBody, errorOfResponse, type WholeResponse } from "./response";
export { errorOfTransport } from "./transport";
