FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && rm -rf /root/.npm
COPY src src
COPY actors actors
COPY media-host media-host
COPY sandbox sandbox
COPY migrations migrations
RUN mkdir -p /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 3001
CMD ["node", "src/main.ts"]
