import type { TenantId } from '../../domain/ids.ts'
import type { Editor, UserPatch } from '../../domain/user-rules.ts'
import type { NewUser } from '../../ports/stores/user-store.ts'
import { changeUser, removeUser } from './change.ts'
import type { NamedUser } from './change.ts'
import { inviteAgain, inviteUser } from './invite.ts'
import type { UserPorts } from './ports.ts'

/** The commands of a tenant's people. */
export type UserCommands = ReturnType<typeof createUsers>

/** Makes the commands of a tenant's people. */
export function createUsers(ports: UserPorts) {
  const { users } = ports
  return {
    invite: (editor: Editor, tenantId: TenantId, user: NewUser) => inviteUser(ports, editor, tenantId, user),
    inviteAgain: (editor: Editor, named: NamedUser) => inviteAgain(ports, editor, named),
    list: (tenantId: TenantId) => users.list(tenantId),
    find: ({ tenantId, id }: NamedUser) => users.find(tenantId, id),
    change: (editor: Editor, named: NamedUser, patch: UserPatch) => changeUser(ports, editor, named, patch),
    remove: (editor: Editor, named: NamedUser) => removeUser(ports, editor, named),
  }
}
