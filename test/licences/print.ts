/** `npm run licences`: writes THIRD_PARTY.md of package-lock.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import { thirdParty } from './third-party.ts'
import type { Lockfile } from './third-party.ts'

const root = new URL('../../', import.meta.url)
const lockfile = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lockfile
writeFileSync(new URL('THIRD_PARTY.md', root), thirdParty(lockfile))
