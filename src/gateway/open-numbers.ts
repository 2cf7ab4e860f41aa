import type { Directory } from '../../actors/hosting/directory.ts'
import { createNumbers } from '../commands/numbers/numbers.ts'
import type { NumberPorts } from '../commands/numbers/ports.ts'
import type { Core } from './core.ts'

type Joined = 'officialOf' | 'officialCommands' | 'templatesWanted' | 'flowsWanted' | 'revokeCallers' | 'baseUrl'

export interface NumberNeeds extends Pick<NumberPorts, Joined> {
  readonly stores: Pick<NumberPorts, 'numbers' | 'official' | 'flowKeys'>
  /** Asked for once it is there. */
  readonly directory: () => Directory
}

/** Joins what can be done with numbers. */
export function openNumbers({ log }: Pick<Core, 'log'>, { stores, directory, ...needs }: NumberNeeds) {
  const numberCommands = createNumbers({
    ...stores,
    ...needs,
    askPair: (numberId, wish) => directory().askNumber(numberId, 'Pair', wish),
    askApplySettings: (numberId, fields) => directory().tellNumber(numberId, 'ApplySettings', fields),
    askLogout: (numberId) => directory().askNumber(numberId, 'Logout', {}),
    askRemove: (numberId) => directory().askNumber(numberId, 'Remove', {}),
    receive: (numberId) => directory().receive(numberId),
    log,
  })
  return { numberCommands }
}
