import '../engines/media/ogg.test.ts'
import '../engines/media/opus-packet.test.ts'
import '../engines/media/prism.test.ts'
