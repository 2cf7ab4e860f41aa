import { until } from '../../helpers/until.ts'
import { connected, refusalOf, valueOf } from './world.ts'
import type { Story } from './world.ts'

/** How permission to call is asked for and read. */
export function testPermissions(story: Story): void {
  story('a permission is asked for in the window, granted, probed and revoked', async (t, world) => {
    const line = await connected(t, world)
    const { credentials } = line.number
    const user = world.answeringUser
    const probe = async () => valueOf(await world.officialOf(credentials).permissions.read(user))
    t.is((await probe()).permission.status, 'no_permission')
    t.like(refusalOf(await world.officialOf(credentials).permissions.request(user, 'May we call?')), {
      code: 'OFFICIAL_OUTSIDE_24H_WINDOW',
    })
    await world.writeIn(line.number, user)
    t.true(
      valueOf(await world.officialOf(credentials).permissions.request(user, 'May we call?')).messageId.startsWith(
        'wamid.',
      ),
    )
    t.like(refusalOf(await world.officialOf(credentials).permissions.request(user, 'May we?')), {
      code: 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT',
    })
    const granted = await line.first('permissionChanged')
    t.like(granted, { peer: user, status: 'TEMPORARY' })
    const { permission, actions } = await probe()
    t.is(permission.status, 'temporary')
    t.is(permission.expiration_time, (granted.expiresAt?.getTime() ?? 0) / 1000)
    t.true(actions.find(({ action_name }) => action_name === 'start_call')?.can_perform_action)
    await world.permit(line.number, user, 'accept', true)
    await world.permit(line.number, user, 'revoke')
    await until('all changes are told', () => line.all('permissionChanged').length === 3)
    t.deepEqual(
      line
        .all('permissionChanged')
        .map(({ status }) => status)
        .toSorted(),
      ['NO_PERMISSION', 'PERMANENT', 'TEMPORARY'],
    )
  })
}
