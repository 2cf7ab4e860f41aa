import { testLegs } from '../../contracts/legs.ts'

testLegs('webrtc')
testLegs('pcm16')
