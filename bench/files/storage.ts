/** An S3 storage of other make, as a program of its own: it tells its settings and ends with its parent. */
import { startBucket } from '../../test/helpers/bucket-server.ts'

const endings: (() => unknown)[] = []
const { settings } = await startBucket({ teardown: (end) => void endings.push(end) })
process.send?.(settings)
process.on('disconnect', () => void Promise.all(endings.map((end) => end())).then(() => process.exit()))
