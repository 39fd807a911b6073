export type { ErrorCase, ErrorKind } from "./advice";
export * from "./api-error";
export type { Absence, Call, Effect, Service } from "./call";
export { type ErrorResponse, errorOfBody, errorOfResponse } from "./response";
export { errorOfTransport } from "./transport";
