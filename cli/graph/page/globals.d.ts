/** The bundler puts the package in place of the call. */
declare const require: (name: "re2js") => typeof import("re2js");
