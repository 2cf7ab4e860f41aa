/** The origin at which a server of WebSockets answers HTTP: `https://host:port` of `wss://host:port/path`. */
export function httpOriginOf(socketUrl: string): string {
  return new URL(socketUrl.replace(/^ws/i, 'http')).origin
}
