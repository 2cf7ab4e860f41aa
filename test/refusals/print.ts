/** `npm run refusals`: writes the page of the texts of refusals. */
import { writeFileSync } from 'node:fs'
import { PAGE, pageOf, refusalTexts } from './page.ts'

writeFileSync(new URL(`../../${PAGE}`, import.meta.url), pageOf(refusalTexts()))
