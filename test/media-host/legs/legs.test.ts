import { CALL_MEDIA_KINDS } from '../../../src/domain/call-media.ts'
import { testLegs } from '../../contracts/legs.ts'

for (const kind of CALL_MEDIA_KINDS) testLegs(kind)
