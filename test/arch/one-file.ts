/** Packages that only one file of each program may import (docs/architecture.md). */
export const ONE_FILE: ReadonlyMap<string, readonly string[]> = new Map([
  ['nact', ['actors/engine/runtime.ts']],
  ['uWebSockets.js', ['media-host/realtime/socket-server.ts']],
  ['werift', ['media-host/legs/webrtc.ts', 'sandbox/devices/phone-webrtc.ts']],
  // The decoder, and the parts of the converter.
  [
    'node-av',
    [
      'engines/media/decode.ts',
      'engines/media/codecs.ts',
      'engines/media/films.ts',
      'engines/media/opened.ts',
      'engines/media/sounds.ts',
      'engines/media/streams.ts',
      'engines/media/tracks.ts',
      'engines/media/test/workshop-program.ts',
    ],
  ],
  ['prism-media', ['engines/media/ogg.ts']],
  ['sharp', ['engines/media/pictures.ts']],
  ['libphonenumber-js', ['src/domain/phone-reading.ts', 'src/domain/phone-lengths.ts']],
  ['lru-cache', ['src/domain/bounded-memory.ts']],
  ['marked', ['src/http/routes/guides/markdown.ts']],
  ['sdp-transform', ['src/domain/sdp/sdp-text.ts']],
  ['ioredis', ['src/cluster/redis.ts', 'src/register/redis.ts']],
  ['prom-client', ['src/process/metrics.ts']],
  ['oidc-provider', ['src/oauth/authorization-server.ts']],
  ['pino', ['src/process/log.ts']],
  ['@modelcontextprotocol/client', ['tools/demo/tool-story.ts']],
  ['@modelcontextprotocol/server', ['src/http/tools/protocol.ts']],
])
