/**
 * Most bytes of all headers of a request, as in Node's servers, because browsers send the cookies of a whole domain.
 * uWebSockets.js takes 4 KiB unless this variable says more when it is loaded, so this file is imported before it.
 */
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= '16384'
