/** What most tests need of undici. The rest, such as fetch and web sockets, would be most of what a test file loads of it. */
module.exports = {
  Pool: require("undici/lib/dispatcher/pool"),
  get EnvHttpProxyAgent() {
    return require("undici/index.js").EnvHttpProxyAgent;
  },
};
