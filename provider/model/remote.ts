/** Properties as an adapter hands them over: plain values, with the unknown symbol where a preview knows nothing yet. */
export type Properties = Record<string, unknown>;

/** An object of a response, in the form of the inputs. */
export interface Remote<Outputs> {
  readonly id: string;
  /** The server's values of the inputs; what the API does not return is as the state had it. */
  readonly inputs: Properties;
  /** The server's own fields. */
  readonly outputs: Outputs;
}
