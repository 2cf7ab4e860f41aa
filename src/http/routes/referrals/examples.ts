import { ITEM } from '../messages/examples.ts'
import { SAMPLE } from '../samples.ts'

const NAMES = {
  adName: 'Running shoes, video',
  adsetId: '120210000000000002',
  adsetName: 'Runners',
  campaignId: '120210000000000003',
  campaignName: 'Spring',
  namesResolvedAt: SAMPLE.soonAfter,
}
const REFERRAL = {
  sourceId: '120210000000000001',
  sourceType: 'ad',
  sourceUrl: 'https://fb.me/2aBcDeFgH',
  headline: 'Run lighter',
  body: 'Our new shoe',
  mediaType: 'video',
  imageUrl: null,
  videoUrl: 'https://video.example.com/shoe.mp4',
  thumbnailUrl: 'https://video.example.com/shoe.jpg',
  welcomeMessage: 'Hello! What size do you wear?',
  ctwaClid: 'ARAkLkA8rmlFeiCktEJQ',
  ...NAMES,
}

export const LIST = {
  referrals: [{ ...ITEM, content: 'Hello! I saw your ad', referral: REFERRAL }],
  total: 1,
  page: 1,
  pageSize: 30,
  totalPages: 1,
}

export const SUMMARY = {
  ads: [
    {
      sourceId: REFERRAL.sourceId,
      sourceType: 'ad',
      conversations: 41,
      messages: 44,
      lastSourceUrl: REFERRAL.sourceUrl,
      lastHeadline: REFERRAL.headline,
      lastMessageAt: SAMPLE.createdAt,
      ...NAMES,
    },
  ],
  truncated: false,
}
