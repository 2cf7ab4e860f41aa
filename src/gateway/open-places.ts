import { join } from 'node:path'
import { Bucket } from '../files/places/bucket.ts'
import { BucketPlace } from '../files/places/bucket-place.ts'
import { DiskPlace } from '../files/places/disk-place.ts'
import type { FilePlace } from '../ports/file-place.ts'
import type { Core } from './core.ts'

/** Our choice: how often what waits for the storage of files is tried again, in ms. */
const UPLOAD_MS = 10_000
/** Our choice: how often copies of files are looked through for those that are too many, in ms. */
const TRIM_MS = 300_000

/** A kind of files: its folder in DATA_DIR, and its prefix in a bucket. */
interface PlaceOf {
  readonly name: 'media' | 'branding'
  /** Its files within the folder. */
  readonly files: string
}

/** Opens the place of a kind of files: in the bucket that FILES_URL names, else in DATA_DIR. */
export function openPlace({ config, clock, log, upkeep }: Core, { name, files }: PlaceOf): FilePlace {
  const directory = join(config.dataDir, name)
  if (config.files === null) return new DiskPlace(join(directory, files), clock)
  const bucket = new Bucket({ ...config.files, prefix: `${config.files.prefix}${name}/` })
  const { isLinked } = config.files
  const place = new BucketPlace({ bucket, directory, files: join(directory, files), clock, log, isLinked })
  upkeep.add({ name: `upload-${name}`, everyMs: UPLOAD_MS, run: () => place.upload() })
  upkeep.add({ name: `trim-${name}`, everyMs: TRIM_MS, run: () => place.trim() })
  return place
}
