import type { Absence } from "../http/errors";

/** How the cluster says that an object does not exist, by its kind. */
export const absences = {
  // An update of a method that leaves its Config out keeps the one that is stored: there is none where there is no method. A server where an update makes no
  // method can say that it finds none.
  methods: absenceOf("auth[- ]?method", /\b(missing auth method config|cannot find (ACL )?auth[- ]?method)\b/i),
  roles: absenceOf("role"),
  rules: absenceOf("binding[- ]?rule"),
};

/** "ACL role not found" to a read or a delete, "cannot find role 0000..." to an update. */
function absenceOf(kind: string, cannotFind = new RegExp(`\\bcannot find ${kind}\\b`, "i")): Required<Absence> {
  const notFound = new RegExp(`\\b${kind}\\b.*\\bnot found\\b`, "i");
  return {
    unknown: ({ detail }) => notFound.test(detail),
    undeletable: ({ detail }) => notFound.test(detail),
    unchangeable: ({ detail }) => cannotFind.test(detail),
  };
}
