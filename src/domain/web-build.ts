/** What a build of the pages and of the SDK made; the list `assets.json` beside the files. */
export interface WebBuild {
  /** Of the SDK: that of `web/sdk/package.json`. */
  readonly sdkVersion: string
  /**
   * By path below the folder of the build: `assets/{name}-{hash}.{ext}`, `pages/{name}.html`, `embed/embed.js`,
   * `embed/{package}.tgz`. Beside each stand `{path}.gz` and `{path}.br`, but for documents and what is packed already.
   */
  readonly files: Readonly<Record<string, BuiltFile>>
  /**
   * What pages load once they run, by the path of its source below `web`: its path, and those of all that it cannot run
   * without.
   */
  readonly later: Readonly<Record<string, readonly string[]>>
}

/** A file of a build; sizes in bytes. */
export interface BuiltFile {
  /** Media type, with its charset where it is text. */
  readonly type: string
  /** Of the bytes, for an entity tag. */
  readonly hash: string
  /** Of the bytes, as `integrity` of a script names it: `sha384-...`. */
  readonly integrity: string
  readonly bytes: number
  /** Null where nothing packed stands beside it. */
  readonly gzipBytes: number | null
  readonly brBytes: number | null
}

/** The folder of all builds, from the root of the project. */
export const BUILDS = 'web/dist'
/** In it: which build is the newest, `{"build": "<folder>"}`. */
export const CURRENT = 'current.json'
/** In a build: its list. */
export const LIST = 'assets.json'

/** Name of the SDK's package as a file. */
export function packageFileName(sdkVersion: string): string {
  return `channel-messaging-embed-${sdkVersion}.tgz`
}
