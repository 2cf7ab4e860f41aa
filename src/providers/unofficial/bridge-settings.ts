import type { BridgeSettings } from '../../domain/device-bridge.ts'
import type { NumberSettings } from '../../domain/number.ts'

/**
 * The settings that an engine is told ([bridge.ops.3]), and what it is asked for ([engines.bridge.8]). Status posts are
 * asked for only while some webhook wants them ([events.subscription.6]); engines that do not know `stories` learn it
 * from `ignoreStatus`.
 */
export function bridgeSettings(settings: NumberSettings, wantsStories: boolean): BridgeSettings {
  const { rejectCall, msgRejectCall, alwaysOnline, readMessages, ignoreGroups, ignoreNewsletters, ignoreStatus } =
    settings
  return {
    rejectCall,
    msgRejectCall,
    alwaysOnline,
    readMessages,
    ignoreGroups,
    ignoreStatus: wantsStories ? ignoreStatus : true,
    stories: wantsStories && ignoreStatus !== true,
    groups: ignoreGroups !== true,
    newsletters: !ignoreNewsletters,
  }
}
