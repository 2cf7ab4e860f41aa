import { initialsOf } from '../model/conversations.ts'
import UserRound from 'lucide/dist/esm/icons/user-round.mjs'
import { Icon } from '../../ui/icon.tsx'

/** A person's initials, or a figure when the name is unknown. */
export function Avatar({ title }: { readonly title: string }) {
  const initials = initialsOf(title)
  return (
    <span class="avatar" aria-hidden="true">
      {initials === '' ? <Icon of={UserRound} size={20} /> : initials}
    </span>
  )
}
