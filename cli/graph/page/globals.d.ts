/** The bundler replaces the call with the package. */
declare const require: (name: "re2js") => typeof import("re2js");
