/** The output of a build of the pages and of the SDK: the list `assets.json` beside the files. */
export interface WebBuild {
  /** The version of the SDK, from `web/sdk/package.json`. */
  readonly sdkVersion: string
  /**
   * The files by their path below the folder of the build: `assets/{name}-{hash}.{ext}`, `pages/{name}.html`,
   * `embed/embed.js`, `embed/{package}.tgz`. Beside each stand `{path}.gz` and `{path}.br`, except for documents and
   * files that are packed already.
   */
  readonly files: Readonly<Record<string, BuiltFile>>
  /**
   * What pages load once they run, by the path of its source below `web`: its own path, and those of all that it needs
   * to run, style sheets included.
   */
  readonly later: Readonly<Record<string, readonly string[]>>
}

/** A file of a build; sizes in bytes. */
export interface BuiltFile {
  /** Media type, with its charset when it is text. */
  readonly type: string
  /** The hash of the bytes, for an entity tag. */
  readonly hash: string
  /** The hash of the bytes, as `integrity` of a script names it: `sha384-...`. */
  readonly integrity: string
  readonly bytes: number
  /** Null when no packed copy stands beside it. */
  readonly gzipBytes: number | null
  readonly brBytes: number | null
}

/** The folder of all builds, from the root of the project. */
export const BUILDS = 'web/dist'
/** The file in that folder that names the newest build: `{"build": "<folder>"}`. */
export const CURRENT = 'current.json'
/** The list in the folder of a build. */
export const LIST = 'assets.json'

/** Names the file of the SDK's package. */
export function packageFileName(sdkVersion: string): string {
  return `channel-messaging-embed-${sdkVersion}.tgz`
}
