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
}
