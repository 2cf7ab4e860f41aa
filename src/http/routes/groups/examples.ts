import { DEVICE_OPS } from '../../../domain/device-ops.ts'
import { SAMPLE } from '../samples.ts'
import { presentGroup } from './present.ts'

export const LIST = { groups: DEVICE_OPS.listGroups.example.answer }
export const GROUP = presentGroup(DEVICE_OPS.getGroup.example.answer)
export const WITHOUT_PEER = presentGroup(DEVICE_OPS.changeParticipants.example.answer)
export const NEWSLETTERS = { newsletters: DEVICE_OPS.listNewsletters.example.answer }
export const CHECKED = [
  { input: '+55 11 99999-0001', exists: true, number: SAMPLE.peer, name: 'Ana' },
  { input: '+55 11 99999-0004', exists: false, number: null, name: null },
]
