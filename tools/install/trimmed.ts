/** Which files of installed packages no running program reads. */

/** The Node that the programs will run on, as `process` names it. */
export interface Runtime {
  readonly platform: string
  readonly arch: string
  /** The version of its ABI: `process.versions.modules`. */
  readonly modules: string
}

/** What is only read by debuggers and compilers: source maps, declarations of types. */
const OF_DEVELOPMENT = /\.(?:[cm]?js|css|d\.[cm]?ts)\.map$|\.d\.[cm]?ts$/

/** uWebSockets.js brings a binary for each platform and each version of Node, and loads the one of its name. */
const SOCKET_BINARY = /(?:^|\/)uWebSockets\.js\/dist\/bin\/(uws_[^/]+\.node)$/

/** True for a path below node_modules, with slashes, that nothing reads on `runtime`. */
export function isUnread(path: string, { platform, arch, modules }: Runtime): boolean {
  const [, binary] = SOCKET_BINARY.exec(path) ?? []
  if (binary !== undefined) return binary !== `uws_${platform}_${arch}_${modules}.node`
  return OF_DEVELOPMENT.test(path)
}
