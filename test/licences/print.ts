/** `npm run licences`: writes the lists of third-party packages of package-lock.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Lockfile } from './lockfile.ts'
import { thirdParty } from './third-party.ts'

const root = new URL('../../', import.meta.url)
const lockfile = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lockfile
for (const [path, text] of Object.entries(thirdParty(lockfile))) writeFileSync(new URL(path, root), text)
