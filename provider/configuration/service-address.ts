import { urlOf } from "../../common/url";
import { ConfigurationError } from "../../common/user-error";
import { relationOf } from "../model/servers";

/** The configured address of a service. No message shows a refused address, because it may contain a password. */
interface AddressForm {
  /** The reason why an address is invalid; undefined if it is valid. */
  readonly problem: (address: string) => string | undefined;
  /**
   * The address without the version, which every path adds, and without a slash at its end.
   *
   * @throws ConfigurationError with the source of an address of another form
   */
  readonly base: (address: string, source: string | undefined) => string;
  /** Whether both are of this form and name one server. */
  readonly isSame: (one: string, other: string) => boolean;
}

export const poolsAddressForm = formWithout(/\/api\/v2$/);
export const clusterAddressForm = formWithout(/\/v1$/);

function formWithout(version: RegExp): AddressForm {
  const rule = "must be like https://host.example.com:4646, with http or https and without user, query or fragment";
  const parse = (address: string) => {
    const trimmed = address.trim().replace(/\/+$/, "").replace(version, "").replace(/\/+$/, "");
    const url = urlOf(trimmed);
    const isAllowed = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
    return isAllowed ? trimmed : undefined;
  };
  return {
    problem: (address) => (parse(address) === undefined ? rule : undefined),
    base: (address, source) => {
      const base = parse(address);
      if (base !== undefined) return base;
      throw new ConfigurationError("address-invalid", `The address that comes from ${source} ${rule}.`);
    },
    isSame: (one, other) => {
      const [a, b] = [parse(one), parse(other)];
      return a !== undefined && b !== undefined && relationOf(a, b) === "same";
    },
  };
}
