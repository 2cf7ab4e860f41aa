/** Program that prints the streams of a file. */
import { AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_AAC, AV_CODEC_ID_H264, AV_CODEC_ID_OPUS, AV_LOG_QUIET, Demuxer, Log } from 'node-av'

Log.setLevel(AV_LOG_QUIET)
const NAMES = new Map<number, string>([[AV_CODEC_ID_AAC, 'aac'], [AV_CODEC_ID_H264, 'h264'], [AV_CODEC_ID_OPUS, 'opus']])
const file = Demuxer.openSync(process.argv[2] ?? '')
process.stdout.write(JSON.stringify(file.streams.map(({ codecpar }) => {
  const codec = NAMES.get(codecpar.codecId) ?? codecpar.codecId
  return codecpar.codecType === AVMEDIA_TYPE_VIDEO ? { codec, width: codecpar.width, height: codecpar.height, delay: codecpar.videoDelay } : { codec, channels: codecpar.channels }
})))
file.closeSync()
