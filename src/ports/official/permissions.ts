import type { Outcome } from '../../domain/errors.ts'

export interface CallPermission {
  /** `expiration_time` is in Unix seconds; null when nothing expires. */
  readonly permission: { readonly status: string; readonly expiration_time: number | null }
  readonly actions: readonly {
    readonly action_name: string
    readonly can_perform_action: boolean
    readonly limits: readonly {
      readonly time_period: string
      readonly max_allowed: number
      readonly current_usage: number
    }[]
  }[]
}

/** Whether the number may call a user. */
export interface PermissionsPort {
  read(to: string): Promise<Outcome<CallPermission>>
  /**
   * Asks the user by a message; gives the message's id. Refusals: OFFICIAL_OUTSIDE_24H_WINDOW,
   * OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT.
   */
  request(to: string, text: string): Promise<Outcome<{ readonly messageId: string }>>
}
