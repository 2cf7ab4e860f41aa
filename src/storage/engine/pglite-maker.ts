/** Makes a new embedded database in the folder that it is given (pglite-making.ts). */
import { PGlite } from '@electric-sql/pglite'

await (await PGlite.create(process.argv[2] ?? '')).close()
