import Check from 'lucide/dist/esm/icons/check.mjs'
import CloudAlert from 'lucide/dist/esm/icons/cloud-alert.mjs'
import Hourglass from 'lucide/dist/esm/icons/hourglass.mjs'
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import Link2Off from 'lucide/dist/esm/icons/link-2-off.mjs'
import LoaderCircle from 'lucide/dist/esm/icons/loader-circle.mjs'
import Replace from 'lucide/dist/esm/icons/replace.mjs'
import Smartphone from 'lucide/dist/esm/icons/smartphone.mjs'
import TimerOff from 'lucide/dist/esm/icons/timer-off.mjs'
import TriangleAlert from 'lucide/dist/esm/icons/triangle-alert.mjs'
import WifiOff from 'lucide/dist/esm/icons/wifi-off.mjs'
import type { IconNode } from 'lucide'
import { Icon } from '../ui/icon.tsx'
import type { PageState, Phase } from './page-state.ts'

const PICTURES: Readonly<Partial<Record<Phase, IconNode>>> = {
  ready: Smartphone,
  linking: LoaderCircle,
  passkey: KeyRound,
  connected: Check,
  'already-connected': Check,
  paused: TimerOff,
  expired: Hourglass,
  revoked: Replace,
  invalid: Link2Off,
  offline: WifiOff,
}

/** Phases of a failure, drawn in colours of their own, whatever the brand is. */
const TROUBLED: readonly Phase[] = ['expired', 'revoked', 'invalid', 'offline', 'failed']

/** The picture of a state, in the brand's colours when all is well. */
export function StatePicture({ state: { phase, trouble } }: { readonly state: PageState }) {
  const picture = PICTURES[phase] ?? (trouble === 'WRONG_NUMBER' || trouble === 'BANNED' ? TriangleAlert : CloudAlert)
  const tone =
    phase === 'connected' || phase === 'already-connected'
      ? 'good'
      : phase === 'linking'
        ? 'turning'
        : TROUBLED.includes(phase)
          ? 'trouble'
          : 'plain'
  return (
    <span class={`state-picture ${tone}`}>
      <Icon of={picture} size={32} />
    </span>
  )
}
