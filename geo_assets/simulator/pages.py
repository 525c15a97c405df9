"""HTML that comes instead of an answer: a gateway's error page and a login page."""

ERROR_PAGE = b"""<html>\r
<head><title>502 Bad Gateway</title></head>\r
<body>\r
<center><h1>502 Bad Gateway</h1></center>\r
<hr><center>nginx</center>\r
</body>\r
</html>\r
"""

LOGIN_PAGE = """<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><title>登录 - Sign in</title></head>
<body><main>
<h1>请先登录</h1><p>登录已过期，请重新登录后继续。Your session has expired. Please sign in to continue.</p>
<form action="/login" method="post">
<label>手机号 / Phone <input name="phone" autocomplete="username"></label>
<label>密码 / Password <input name="password" type="password"></label>
<button>登录 / Sign in</button>
</form></main></body></html>
""".encode()
