import type { Directory } from '../../actors/hosting/directory.ts'
import { rulesOf } from '../../actors/sending/rules.ts'
import { createNumbers } from '../commands/numbers/numbers.ts'
import type { NumberPorts } from '../commands/numbers/ports.ts'
import { createPairing } from '../commands/pairing/pairing.ts'
import type { PairingPorts } from '../commands/pairing/ports.ts'
import { checkDialled, createDialGuard } from '../net/dialled-address.ts'
import type { Core } from './core.ts'

type Joined =
  | 'officialOf'
  | 'officialCommands'
  | 'marketingChosen'
  | 'templatesWanted'
  | 'flowsWanted'
  | 'revokeCallers'
  | 'checkDialled'
  | 'baseUrl'
  | 'paceOf'

type Stored = 'numbers' | 'official' | 'flowKeys' | 'pairing' | 'branding' | 'embedSessions' | 'reach'

export interface NumberNeeds extends Pick<NumberPorts, Joined> {
  readonly stores: Pick<NumberPorts & PairingPorts, Stored>
  /** A function, because the directory is opened later. */
  readonly directory: () => Directory
}

/** Checks addresses of bot servers by what the operator lets through. */
export function openDialCheck({ config }: Pick<Core, 'config'>): Pick<NumberPorts, 'checkDialled'> {
  const guard = createDialGuard(config.egressAllow)
  return { checkDialled: (address) => checkDialled(address, guard) }
}

/** Gives the paces that numbers send at. */
export function openPaces({ config }: Pick<Core, 'config'>): Pick<NumberPorts, 'paceOf'> {
  return { paceOf: (number) => rulesOf(number, config.sending).number }
}

/** Opens the commands on numbers and their connect links. */
export function openNumbers({ clock, log }: Pick<Core, 'clock' | 'log'>, { stores, directory, ...needs }: NumberNeeds) {
  const askPair: NumberPorts['askPair'] = (numberId, wish) => directory().askNumber(numberId, 'Pair', wish)
  const numberCommands = createNumbers({
    ...stores,
    ...needs,
    askPair,
    askApplySettings: (numberId, fields) => directory().tellNumber(numberId, 'ApplySettings', fields),
    askLogout: (numberId) => directory().askNumber(numberId, 'Logout', {}),
    askRemove: (numberId) => directory().askNumber(numberId, 'Remove', {}),
    receive: (numberId) => directory().receive(numberId),
    log,
  })
  const pairingCommands = createPairing({
    ...stores,
    ...needs,
    askPair,
    askCurrentCode: (numberId) => directory().askNumber(numberId, 'CurrentCode', {}),
    clock,
  })
  return { numberCommands, pairingCommands }
}
