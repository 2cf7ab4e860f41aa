import Activity from 'lucide/dist/esm/icons/activity.mjs'
import AppWindow from 'lucide/dist/esm/icons/app-window.mjs'
import ChartColumn from 'lucide/dist/esm/icons/chart-column.mjs'
import Inbox from 'lucide/dist/esm/icons/inbox.mjs'
import KeyRound from 'lucide/dist/esm/icons/key-round.mjs'
import LayoutDashboard from 'lucide/dist/esm/icons/layout-dashboard.mjs'
import LayoutTemplate from 'lucide/dist/esm/icons/layout-template.mjs'
import ListChecks from 'lucide/dist/esm/icons/list-checks.mjs'
import Megaphone from 'lucide/dist/esm/icons/megaphone.mjs'
import Palette from 'lucide/dist/esm/icons/palette.mjs'
import Phone from 'lucide/dist/esm/icons/phone.mjs'
import Smartphone from 'lucide/dist/esm/icons/smartphone.mjs'
import UserPlus from 'lucide/dist/esm/icons/user-plus.mjs'
import Users from 'lucide/dist/esm/icons/users.mjs'
import Webhook from 'lucide/dist/esm/icons/webhook.mjs'
import type { IconNode } from 'lucide'
import type { DashboardWords } from '../../words/dashboard/words.ts'

/** The pages of the navigation. */
export type NavName = keyof DashboardWords['nav']

/** The icon of each page in the navigation. */
export const NAV_ICONS: Readonly<Record<NavName, IconNode>> = {
  overview: LayoutDashboard,
  inbox: Inbox,
  calls: Phone,
  numbers: Smartphone,
  webhooks: Webhook,
  templates: LayoutTemplate,
  flows: ListChecks,
  leads: UserPlus,
  ads: Megaphone,
  usage: ChartColumn,
  events: Activity,
  keys: KeyRound,
  people: Users,
  branding: Palette,
  embeds: AppWindow,
}
