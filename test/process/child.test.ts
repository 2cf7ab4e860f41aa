import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'

const PROGRAM = fileURLToPath(new URL('../helpers/flags-told.ts', import.meta.url))
/** The flag that `npm start` and the image give a gateway (image.test.ts). */
const YOUNG_OBJECTS = '--max-semi-space-size=64'

test('a child has the flags of its parent but for the room for young objects, which is a gateway’s alone', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, YOUNG_OBJECTS, PROGRAM])
  const { parent, child } = JSON.parse(stdout) as Record<'parent' | 'child', readonly string[]>
  t.deepEqual(parent, [...NODE_ARGUMENTS, YOUNG_OBJECTS])
  t.deepEqual(child, NODE_ARGUMENTS)
})
