/** In place of zod's messages in fifty languages: English has a file of its own. */
module.exports = {};
