const USED = {
  messages: { inbound: 120, outbound: 150, byType: { image: 20, text: 250 } },
  calls: { inbound: 4, outbound: 11, seconds: 1_830 },
  recordings: { count: 2, bytes: 2_450_000 },
  deliveries: { succeeded: 410, failed: 1, attempts: 418 },
  conversations: { MARKETING: 30, UTILITY: 12, AUTHENTICATION: 0, SERVICE: 0 },
}

export const USAGE = {
  from: '2026-01-01',
  to: '2026-01-30',
  groupBy: 'day',
  items: [{ day: '2026-01-05', ...USED }],
  total: USED,
}
