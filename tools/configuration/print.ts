/** `npm run configuration`: writes the page that lists all environment variables. */
import { readFileSync, writeFileSync } from 'node:fs'
import { VARIABLES } from '../../src/config/variables.ts'
import { configurationPage } from './reference.ts'

const root = new URL('../../', import.meta.url)
const source = readFileSync(new URL('src/config/variables.ts', root), 'utf8')
writeFileSync(new URL('docs/configuration.md', root), configurationPage(source, VARIABLES))
