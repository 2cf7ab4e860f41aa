import test from 'ava'
import { readSourceFiles } from './source-files.ts'

/**
 * The floors of the media host, lowest first. A file imports its own floor and those below it, types too;
 * the clock is a floor of one file, since every leg runs on it.
 */
const FLOORS = [
  'media-host/audio/',
  'media-host/clock.ts',
  'media-host/legs/',
  'media-host/playback/',
  'media-host/realtime/',
  'media-host/control/',
]
/** What joins the floors stands above them all. */
const COMPOSITION = ['media-host/main.ts', 'media-host/workers.ts', 'media-host/ending.ts', 'media-host/start.ts', 'media-host/registering.ts', 'media-host/open-host.ts']

const FILES = readSourceFiles(['media-host'])

function floorOf(path: string): number {
  return COMPOSITION.includes(path) ? FLOORS.length : FLOORS.findIndex((floor) => path.startsWith(floor))
}

test('every file of the media host stands on a floor', (t) => {
  t.deepEqual(FILES.map((file) => file.path).filter((path) => floorOf(path) === -1), [])
})

test('the media host imports downward only, types too', (t) => {
  const upward = FILES.flatMap((file) => file.imports
    .filter((wanted) => wanted.target.startsWith('media-host/') && floorOf(wanted.target) > floorOf(file.path))
    .map((wanted) => `${file.path} imports ${wanted.target}`))
  t.deepEqual(upward, [])
})
