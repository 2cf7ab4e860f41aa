/** A bucket of an S3-compatible storage, and who may use it. */
export interface BucketSettings {
  /** Address of the bucket, without a slash at its end. */
  readonly url: string
  /** Before all names; empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | null
  /** True where links to files lead to presigned addresses of the bucket. */
  readonly isLinked: boolean
}

/** The address of the files in a bucket, without who may use it. */
export function addressOfFiles({ url, prefix }: Pick<BucketSettings, 'url' | 'prefix'>): string {
  const { origin, pathname } = new URL(`${url}/${prefix}`)
  return origin + pathname
}
