/** Gives the origin where a WebSocket server answers HTTP: `https://host:port` for `wss://host:port/path`. */
export function httpOriginOf(socketUrl: string): string {
  return new URL(socketUrl.replace(/^ws/i, 'http')).origin
}
