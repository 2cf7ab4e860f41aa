/**
 * Bytes of all headers of a request, as Node's servers take them: browsers send the cookies of a whole domain.
 * uWebSockets.js takes 4 KiB unless its variable says more when it is loaded, so this is imported before it.
 */
process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= '16384'
