/** `npm run licences`: writes the lists of third-party packages, of package-lock.json and of the LiveKit example's. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Lockfile } from './lockfile.ts'
import { thirdParty } from './third-party.ts'

const root = new URL('../../', import.meta.url)
const lockfileAt = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8')) as Lockfile
const lists = thirdParty(lockfileAt('package-lock.json'), lockfileAt('examples/livekit/package-lock.json'))
for (const [path, text] of Object.entries(lists)) writeFileSync(new URL(path, root), text)
