# The pages need the packages of development to be built, and nothing of them to be served.
FROM node:22-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY engines/media/package.json engines/media/
RUN npm ci && rm -rf /root/.npm
COPY src/domain src/domain
COPY web web
RUN node web/build.ts

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY engines/media/package.json engines/media/
RUN npm ci --omit=dev && rm -rf /root/.npm
COPY docs docs
COPY src src
COPY actors actors
COPY media-host media-host
COPY sandbox sandbox
COPY tools tools
# A program of its own, under its own licence: its README says what passing on an image means.
COPY engines/media engines/media
COPY migrations migrations
COPY --from=pages /app/web/dist web/dist
# media: a volume that several gateways share is mounted there.
RUN mkdir -p /data/media && chown -R node:node /data
USER node
VOLUME /data
EXPOSE 3000 3001 3002
CMD ["node", "--max-semi-space-size=64", "src/main.ts"]
