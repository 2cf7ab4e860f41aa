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
export function openPlace(core: Core, { name, files }: PlaceOf): FilePlace {
  const { config, clock, log, metrics, upkeep } = core
  const directory = join(config.dataDir, name)
  if (config.files === null) return new DiskPlace(join(directory, files), clock)
  const bucket = new Bucket({ ...config.files, prefix: `${config.files.prefix}${name}/` })
  const { isLinked } = config.files
  const place = new BucketPlace({ bucket, directory, files: join(directory, files), clock, log, metrics, isLinked })
  upkeep.add({ name: `upload-${name}`, everyMs: UPLOAD_MS, run: () => place.upload() })
  upkeep.add({ name: `trim-${name}`, everyMs: TRIM_MS, run: () => place.trim() })
  measureWaiting(core, name, place)
  return place
}

/** Measures how many files of a kind wait on this node for their upload, and how long the oldest has waited. */
function measureWaiting(
  { clock, metrics, upkeep }: Core,
  kind: PlaceOf['name'],
  place: Pick<BucketPlace, 'waiting' | 'waitingSince'>,
): void {
  const waiting = metrics.gauge('files_waiting', 'Files that the bucket does not have yet, by kind.', ['kind'])
  const age = metrics.gauge('files_waiting_age_seconds', 'How long the first of them waits.', ['kind'])
  upkeep.add({
    name: `count-waiting-${kind}`,
    everyMs: UPLOAD_MS,
    isDueAtStart: true,
    async run() {
      const since = place.waitingSince
      waiting.set(place.waiting, { kind })
      age.set(since === null ? 0 : Math.max(0, clock.now() - since) / 1_000, { kind })
    },
  })
}
