export type { ErrorCase, ErrorKind } from "./advice";
export * from "./api-error";
export { errorOfBody } from "./body";
export type { Absence, Call, Effect, Service } from "./call";
export type { Failure } from "./failure";
export { type ErrorResponse, errorOfResponse } from "./response";
export { errorOfTransport } from "./transport";
