import type { ProviderHost } from "./provider";
import { InitError } from "./provider";
import type { PropertyMap } from "./values";
import { markLike, plain } from "./values";

/**
 * A provider that does not accept secrets and resources: requests carry plain values, and results are marked secret by the names of the
 * secret inputs.
 */
export function withoutSecrets(host: ProviderHost): ProviderHost {
  const marking = async <T>(model: PropertyMap, call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof InitError)) throw error;
      throw new InitError(error.message, error.id, markLike(error.properties, model), error.reasons);
    }
  };
  return {
    supportsPreview: (type) => host.supportsPreview(type),
    configure: (config) => host.configure(config),
    cancel: () => host.cancel(),
    stop: () => host.stop(),
    delete: (request) => host.delete({ ...request, outputs: plain(request.outputs), oldInputs: plain(request.oldInputs) }),
    diff: (request) => host.diff({ ...request, olds: plain(request.olds), oldInputs: plain(request.oldInputs), news: plain(request.news) }),
    async check(request) {
      const result = await host.check({ ...request, olds: plain(request.olds), news: plain(request.news) });
      return { ...result, inputs: markLike(result.inputs, request.news) };
    },
    async create(request) {
      const result = await marking(request.inputs, host.create({ ...request, inputs: plain(request.inputs) }));
      return { ...result, outputs: markLike(result.outputs, request.inputs) };
    },
    async read(request) {
      const call = host.read({ ...request, inputs: plain(request.inputs), outputs: plain(request.outputs) });
      const result = await marking(request.outputs, call);
      const inputs = result.inputs && markLike(result.inputs, request.inputs);
      return { id: result.id, outputs: markLike(result.outputs, request.outputs), inputs };
    },
    async update(request) {
      const plainRequest = { ...request, olds: plain(request.olds), oldInputs: plain(request.oldInputs), news: plain(request.news) };
      return markLike(await marking(request.news, host.update(plainRequest)), request.news);
    },
  };
}
