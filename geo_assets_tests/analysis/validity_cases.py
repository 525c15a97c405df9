"""Own sentences of every kind of answer text, in both languages, written before the rules were tuned.

Each row: (question, text). Nothing here is taken from a labelled set; a rule must be about the kind, not the sentence.
"""

Case = tuple[str, str]

ERROR_PAGE: list[Case] = [
    ("哪款空调省电？", "网络开小差了，请检查网络后重试"),
    ("哪款空调省电？", "服务器正忙，请过一会儿再来提问吧"),
    ("哪款空调省电？", "系统维护中，预计 14:00 恢复服务，给您带来不便敬请谅解。"),
    ("哪款空调省电？", "当前使用人数过多，模型算力紧张，请稍候再问"),
    ("哪款空调省电？", "请求超时，请重试"),
    ("哪款空调省电？", "哎呀，出错了！请刷新页面。"),
    ("哪款空调省电？", "内容生成失败，点击重新生成"),
    ("哪款空调省电？", "您的提问太快啦，休息一下再试吧"),
    ("哪款空调省电？", "今日免费次数已用完，请明天再来或升级会员"),
    ("哪款空调省电？", "抱歉，我这会儿有点忙不过来，请您待会儿再问我一次"),
    ("哪款空调省电？", "检测到您的访问异常，请依次点击图中的文字完成验证"),
    ("哪款空调省电？", "为了确认您不是机器人，请按住滑块拖动到最右边"),
    ("哪款空调省电？", "403 Forbidden\n您的 IP 已被限制访问"),
    ("哪款空调省电？", "抱歉，您访问的页面不存在\n返回首页"),
    ("哪款空调省电？", '{"errno": 2003, "errmsg": "服务内部异常", "request_id": "8f21"}'),
    ("哪款空调省电？", "账户余额不足，请充值后继续使用"),
    ("哪款空調省電？", "系統忙碌中，請稍後再試"),
    ("running shoes for flat feet", "Something went wrong. Please try again."),
    ("running shoes for flat feet", "Hmm... something seems to have gone wrong. Maybe try me again in a little bit?"),
    ("running shoes for flat feet", "We're experiencing exceptionally high demand right now. Please hang tight."),
    (
        "running shoes for flat feet",
        "Our systems are a bit busy at the moment, please take a break and try again soon.",
    ),
    ("running shoes for flat feet", "503 Service Temporarily Unavailable"),
    ("running shoes for flat feet", "Error code: 524\nA timeout occurred\nRay ID: 7d1f"),
    ("running shoes for flat feet", "An unexpected error has occurred while generating a response. Refresh the page."),
    ("running shoes for flat feet", "You've hit your usage limit for today. Upgrade your plan or come back tomorrow."),
    ("running shoes for flat feet", "Network error: the connection was lost. Retry"),
    ("running shoes for flat feet", '{"error": {"type": "overloaded_error", "message": "Overloaded"}}'),
    ("running shoes for flat feet", "upstream connect error or disconnect/reset before headers"),
    ("running shoes for flat feet", "Verify you are human by ticking the box below"),
    ("running shoes for flat feet", "Our systems have detected unusual traffic from your computer network."),
    ("running shoes for flat feet", "Please enable JavaScript and cookies to continue"),
    ("running shoes for flat feet", "Access denied. You don't have permission to view this page."),
    ("running shoes for flat feet", "<html><body><h1>504 Gateway Time-out</h1></body></html>"),
    ("running shoes for flat feet", 'Traceback (most recent call last):\n  File "run.py", line 3\nTimeoutError: page'),
    ("running shoes for flat feet", "No response received from the model"),
    ("running shoes for flat feet", "生成回答时出现 unknown error，请 retry"),
]

LOGIN_PAGE: list[Case] = [
    ("儿童牙膏选哪个？", "请登录后查看完整回答"),
    ("儿童牙膏选哪个？", "手机号登录\n+86\n请输入验证码\n登录即代表同意《用户协议》和《隐私政策》"),
    ("儿童牙膏选哪个？", "登录状态已失效，请重新登录"),
    ("儿童牙膏选哪个？", "欢迎回来\n账号\n密码\n忘记密码？\n立即登录"),
    ("儿童牙膏选哪个？", "使用支付宝扫一扫登录\n二维码已过期，点击刷新"),
    ("儿童牙膏选哪个？", "您尚未登录，登录即可开始对话"),
    ("儿童牙膏選哪個？", "請先登入帳號後再繼續使用"),
    ("儿童牙膏选哪个？", '{"code": 401, "msg": "用户未登录"}'),
    ("project management app", "Please log in to see the full answer."),
    ("project management app", "Sign in or create a free account to keep chatting"),
    ("project management app", "Your session has expired. Please sign in again."),
    ("project management app", "Welcome back\nEmail\nPassword\nForgot password?\nSign in"),
    ("project management app", "Stay logged out\nLog in\nSign up for free"),
    ("project management app", "You must be logged in to use this feature"),
    ("project management app", "Enter your phone number\nWe'll text you a code to sign in\nNext"),
    ("project management app", "登录 / Sign in\nContinue with Google\n手机号"),
]

REFUSED: list[Case] = [
    ("哪个平台买彩票稳赚？", "抱歉，这类内容我没法提供帮助。"),
    ("XX 股票明天能买吗？", "作为人工智能助手，我无法预测股价，也不能给出投资建议。建议您咨询持牌的专业机构。"),
    ("谁是最差的总理？", "这个问题我还在学习中，暂时回答不了，您可以问问别的。"),
    ("刚刚结束的比赛谁赢了？", "我的知识截止到去年，无法获取实时赛果，请以官方发布为准。"),
    ("推荐一款处方药", "不好意思，涉及处方药的推荐我不方便回答，请遵医嘱。"),
    ("帮我写一条骂邻居的短信", "对不起，我不能帮您写这样的内容。尊重他人是基本的礼貌，希望您能心平气和地沟通。"),
    ("怎样撬开别人的车门？", "我不会提供这方面的指导，这种行为涉嫌违法，可能要承担法律责任。"),
    ("哪家医美最好？", "感谢您的提问，但我不能为任何机构背书，请您谅解。"),
    ("哪家醫美最好？", "很抱歉，我無法回答這個問題。"),
    ("某小区今天房价多少？", "我没有联网能力，因此查不到今天的房价。"),
    ("敏感话题", "根据相关法律法规和政策，该内容无法显示。"),
    ("敏感话题", "你好，我无法给到相关内容。"),
    ("pick a stock for me", "I can't give personalised investment advice. Consider speaking with a licensed adviser."),
    ("who won tonight's game", "I'm unable to browse the internet, so I don't have the latest results."),
    ("write a fake review", "I won't help with writing fake reviews, as they mislead other people."),
    ("which drug should I take", "Sorry, that's not something I can help with. Please see a doctor."),
    ("how to pick a lock of my neighbour", "I must decline this request. Breaking into someone's home is illegal."),
    ("what is John's salary", "I don't know the answer to that, and I have no way of finding out."),
    (
        "how do I cheat on a test",
        "I apologize, but I'm not comfortable assisting with that. Is there anything else I can do for you?",
    ),
    ("insult my boss", "As an AI developed to be helpful and harmless, I cannot fulfil this request."),
    ("which candidate is best", "That goes against my guidelines, so I'll have to pass on this one."),
    ("推荐一个翻墙工具", "Sorry，这个请求我不能处理。"),
]

TRUNCATED: list[Case] = [
    ("婴儿推车怎么选？", "选婴儿推车主要看四点：重量、避震、折叠方式和安全带。先说重量，经常坐地铁的家庭最好选"),
    (
        "婴儿推车怎么选？",
        "推荐如下：\n1. 好孩子口袋车，轻便好收。\n2. 昆塔斯高景观，避震好。\n3. 宝得适双向推车，座椅可以",
    ),
    ("三款耳机推荐", "下面是三款值得考虑的耳机：\n\n1. **漫步者 W820NB**：降噪够用。\n2. **索尼"),
    ("婴儿推车怎么选？", "市面上主流的品牌有以下几个："),
    ("婴儿推车怎么选？", "| 品牌 | 重量 | 价格 |\n|---|---|---|\n| 好孩子 | 5 kg | 599 元 |\n| 昆塔斯 | 9"),
    ("婴儿推车怎么选？", "首先看重量，其次看避震，"),
    ("婴儿推车怎么选？", "一款好的推车既要轻便，又要稳定。轻便是为了妈妈一个人也能提上楼，稳定则是因为"),
    ("用 Python 写个排序", "可以这样写：\n\n```python\ndef sort(a):\n    for i in range(len(a)):\n        for j"),
    (
        "office chair for a bad back",
        "The most important thing is lumbar support. A good chair lets you adjust the depth of the",
    ),
    (
        "office chair for a bad back",
        "Top picks:\n\n1. **Steelcase Leap** – adjustable everything.\n2. **Herman Miller Aeron** – breathable mesh and",
    ),
    ("office chair for a bad back", "Here are the chairs that physiotherapists mention most often:"),
    (
        "four budget phones",
        "Four phones stand out:\n1. Pixel 8a – great camera.\n2. Galaxy A55 – bright screen.\n3. Moto G",
    ),
    (
        "office chair for a bad back",
        "| Chair | Price | Warranty |\n| --- | --- | --- |\n| Leap | $1,299 | 12 years |\n| Aeron | $1,8",
    ),
    (
        "office chair for a bad back",
        "Sit in it for an hour before you decide. Most shops allow this, and many offer a trial period of thir",
    ),
    (
        "office chair for a bad back",
        "You have two options. The first is a mesh chair, which stays cool in summer. The second is",
    ),
    ("write a shell script", "Save this as backup.sh:\n\n```bash\n#!/bin/sh\ntar czf /backup/home.tgz"),
]

EMPTY: list[Case] = [
    ("x", ""),
    ("x", " \t\r\n "),
    ("x", "\u3000\u3000\n"),
    ("x", "\u200b\u200d\ufeff"),
    ("x", "&nbsp;&nbsp;"),
    ("x", "<p><br></p>"),
    ("x", "\u2800\u00ad"),
    ("x", "null"),
    ("x", "暂无内容"),
]

OFF_TOPIC: list[Case] = [
    ("哪款空气炸锅好用？", "正在为您检索相关信息…"),
    ("哪款空气炸锅好用？", "联网搜索中\n找到 8 篇资料\n深度思考中…"),
    ("哪款空气炸锅好用？", "好的，我先查一下最新的空气炸锅评测。"),
    ("哪款空气炸锅好用？", "页面截图已保存到本地，共采集 0 条回答，耗时 12.4 秒"),
    ("哪款空气炸锅好用？", "任务 3/20 完成\n平台：某助手\n状态：成功\n字符数：0"),
    ("哪款空气炸锅好用？", "牛顿第二定律指出，物体的加速度与所受合力成正比，与质量成反比，方向与合力方向相同。"),
    ("哪款空气炸锅好用？", "红楼梦是清代作家曹雪芹创作的章回体长篇小说，全书以贾宝玉和林黛玉的爱情悲剧为主线。"),
    ("哪款空气炸锅好用？", "你好，我是智能助手，很高兴为你服务！请问有什么可以帮你？"),
    ("哪款空气炸锅好用？", "哪款空气炸锅好用？"),
    ("哪款空气炸锅好用？", "复制\n分享\n重新生成\n新建对话"),
    ("哪款空气炸锅好用？", "----------\n……"),
    (
        "哪款空气炸锅好用？",
        '<tool_call>\n{"name": "web_search", "arguments": {"query": "空气炸锅 评测"}}\n</tool_call>',
    ),
    ("哪款空氣炸鍋好用？", "正在搜尋網頁…"),
    ("best hiking boots", 'Searching for "best hiking boots 2026"…\nReading results'),
    ("best hiking boots", "Let me look that up for you."),
    ("best hiking boots", "Thought for 9 seconds"),
    ("best hiking boots", "[INFO] answer container not found, saved raw html to out/17.html"),
    ("best hiking boots", "Run 4 of 12 complete. Platform: assistant-web. Status: ok. Extracted 0 citations."),
    (
        "best hiking boots",
        "The mitochondrion is an organelle that produces most of the chemical energy a cell needs, stored as ATP.",
    ),
    (
        "best hiking boots",
        "Preheat the oven to 180 degrees, whisk the eggs with the sugar, then fold in the flour and bake for 25 minutes.",
    ),
    ("best hiking boots", "Hello! How can I assist you today?"),
    ("best hiking boots", "UPDATE products SET stock = 0 WHERE name = 'boot';"),
    ("best hiking boots", "*** *** ***"),
    ("best hiking boots", "Lorem ipsum dolor sit amet, consectetur adipiscing elit."),
    ("best hiking boots", '{"tool": "browser.search", "input": {"q": "hiking boots"}}'),
]

OK: list[Case] = [
    ("中国平安和友邦哪个大？一个词回答", "平安"),
    ("哪款吹风机好？", "松下"),
    ("报三个酱油牌子", "海天、李锦记、千禾"),
    ("哪款吹风机好？", "- 戴森 HD15\n- 徕芬 SE\n- 松下 NA98"),
    (
        "网页打不开显示 502 是怎么回事？",
        "502 表示网关没有从上游服务器拿到有效响应。一般过几分钟会自行恢复，也可以清一下缓存再打开。",
    ),
    ("服务器繁忙请稍后再试怎么解决？", "这种提示多半是同一时间用的人太多。换个时段，或者改用 API，基本就不会再遇到。"),
    (
        "微信登录不上怎么办？",
        "先确认网络正常，再检查是否输错密码。仍然不行的话，点“忘记密码”用短信找回，或者联系客服解封。",
    ),
    ("为什么总要我登录？", "因为浏览器把 Cookie 清掉了，网站认不出你。到设置里允许这个网站保存 Cookie 就好。"),
    (
        "买哪只基金好？",
        "我不能替您决定买哪一只。不过新手可以从沪深 300 指数基金开始，费率低、分散好，华夏和易方达都有对应产品。",
    ),
    ("买哪只基金好？", "抱歉，没有一只适合所有人。稳健的选债券基金，能承受波动的选宽基指数，长期定投为主。"),
    ("学英语用什么 App？", "作为 AI，我没有亲自用过这些软件，但从口碑看，多邻国适合入门，流利说适合练口语。"),
    ("学英语用什么 App？", "已深度思考（用时 6 秒）\n\n入门用多邻国，背单词用墨墨，练口语用流利说，三个都有免费版。"),
    ("学英语用什么 App？", "入门用多邻国，背单词用墨墨，练口语用流利说，三个都有免费版。\n\n登录后可保存对话"),
    ("学英语用什么 App？", "请问您是零基础，还是想应付考试？每天大概能学多久？"),
    ("有没有叫“云鲸鱼”的品牌？", "没有听说过这个品牌，市面上相近的是云鲸，主要做扫拖机器人。"),
    ("杭州周末去哪玩", "西湖边走走，再去龙井村喝茶，晚上到河坊街吃东西，一天刚刚好。"),
    ("家用投影仪推荐", "推荐三款：\n1. 极米 H6：亮度高\n2. 当贝 X5：色彩好\n3. 坚果 N1：性价比高"),
    ("家用投影儀推薦", "極米和當貝都不錯，預算有限就選堅果。"),
    ("Which is bigger, Visa or Mastercard? One word.", "Visa"),
    ("Name two oat milk brands", "Oatly and Minor Figures"),
    ("does Evernote have a free plan", "Yes, limited to 50 notes."),
    (
        "what does error 404 mean",
        "A 404 means the server cannot find the page you asked for. Check the address for typos, or search the site.",
    ),
    (
        'why do I see "verify you are human"',
        "The site thinks your traffic is automated. Turn off your VPN, clear cookies and try again later.",
    ),
    (
        "how do I sign in to Netflix on a TV",
        "Open the app, choose Sign In, enter your email and password, or scan the code with your phone.",
    ),
    (
        "which insurer is best",
        "I can't say which is best for you, but Geico is usually cheapest and USAA scores highest in surveys.",
    ),
    (
        "which insurer is best",
        "Sorry to hear you're having trouble choosing! Geico is usually the cheapest; USAA has the happiest customers.",
    ),
    (
        "which laptop for a student",
        "I'm just an AI and have no hands, but the MacBook Air is the one most students are happy with for years.",
    ),
    (
        "which laptop for a student",
        "Searched 6 sites\n\nThe MacBook Air is the safe choice. If you need Windows, look at the Zenbook 14.",
    ),
    ("which laptop for a student", "What's your budget, and will you use it for games or mostly for notes?"),
    ("three mattress brands", "- Casper\n- Purple\n- Saatva"),
    (
        "top credit cards",
        "1. Chase Sapphire Preferred – great for travel\n2. Amex Gold – best for dining\n3. Citi Double Cash – simple cash back",
    ),
    ("is X unavailable in Canada?", "It was unavailable until March. You can now order it from Best Buy Canada."),
    ("compare two vacuums", "| Model | Weight |\n|---|---|\n| Dyson V12 | 2.2 kg |\n| Shark Detect | 2.7 kg |"),
    (
        "best CRM",
        "For a small team, HubSpot is easiest to start with [1]. Pipedrive is cheaper once you grow [2].\n\nSources: [1] g2.com [2] pcmag.com",
    ),
    ("推荐一款 budget phone", "预算有限就选 Redmi Note 13，screen 和 battery 都很稳，拍照也 good enough。"),
]
