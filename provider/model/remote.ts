/** Properties from an adapter: plain values, with the unknown symbol for values that a preview does not know yet. */
export type Properties = Record<string, unknown>;

/** An object of a response, in the form of inputs and outputs. */
export interface Remote<Outputs> {
  readonly id: string;
  /** The server's values of the inputs. Values that the API does not return come from the state or, after a write, from what was sent. */
  readonly inputs: Properties;
  /** The server's fields. */
  readonly outputs: Outputs;
}
